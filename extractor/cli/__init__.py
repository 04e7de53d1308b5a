"""The command line: options to a `Config`, one call, its outcome to text and an exit code.

`app` knows the commands, each of which is the function of the same name in the file of that name: its options, the
call, what to show of the outcome; what it does stands elsewhere. `options` and `settings` are what several commands
share. `terminal` alone prints (and `bars` draws what moves): results go to standard output, everything else to standard
error. `ending` turns every way in which a command ends into an exit code and at most one line.

Nothing is imported here, and stages only inside functions: `--help` and the other commands should not pay for them, nor
`quick.py`, which answers `match` without the command-line library, for that.
"""
