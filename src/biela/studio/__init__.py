"""The studio: a page in the browser to edit a mechanism and see it move, served by this machine to itself.

    request_guard  who may ask: the token, the host, the origin, the size of a request
    folder         model files: those of one folder, and no others
    server         the page and its requests
    worker_pool    worker processes, kept warm, stopped when they take too long
    worker         what runs in such a process; the jobs are in `jobs`
"""
