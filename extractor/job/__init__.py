"""The daily job: read a branch's newest commit, say what changed, keep the dataset in a branch of a git repository.

The data branch is the only memory: whoever runs the job next, wherever, finds in it what was done last. It changes in
one step, when everything is done, so a job that is killed has done nothing.
"""
