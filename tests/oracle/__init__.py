"""Oracles: answers to the scanner's questions, found by other means and sharing no code with it.

`sites` counts raise statements by `ast`; `skeleton` runs a function whose tests are random choices, which tells what a
guard must be; `messages` executes the message expressions over stub values. The contract is their only specification.
"""
