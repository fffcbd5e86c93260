"""Files and folders that only this user, or root, can change: what is loaded from there is what was put there."""
import os
import stat

MOST_LINKS = 40


def objection(path, links=MOST_LINKS):
    """Why somebody else could replace `path`, itself or by a folder or link on the way to it; None if nobody can."""
    if not os.path.isabs(path):
        return f"{path} is another place in each working directory"
    reached = "/"
    wrong = objection_to(reached)
    for name in path.split("/"):
        if wrong:
            return wrong
        if name in ("", "."):
            continue
        if name == "..":
            reached = os.path.dirname(reached)
            continue
        following = os.path.join(reached, name)
        if os.path.islink(following):
            if not links:
                return f"{following} leads through more than {MOST_LINKS} links"
            if os.lstat(following).st_uid not in (os.getuid(), 0):
                return f"{following} is a link that belongs to another user"
            wrong = objection(os.path.join(reached, os.readlink(following)), links - 1)
            reached = os.path.realpath(following)
        else:
            wrong = objection_to(following)
            reached = following
    return wrong


def objection_to(path):
    try:
        found = os.lstat(path)
    except OSError as missing:
        return str(missing)
    if found.st_uid not in (os.getuid(), 0):
        return f"{path} belongs to another user"
    shared = stat.S_ISDIR(found.st_mode) and found.st_uid == 0 and found.st_mode & stat.S_ISVTX
    if found.st_mode & 0o022 and not shared:
        return f"{path} can be written by others (mode {stat.S_IMODE(found.st_mode):o})"
    return None


def make_folder(path):
    """Makes `path` and those it lies in, for this user alone, as far as they are missing; says why others could change it."""
    if not os.path.isabs(path):     # such as ~/.cache of a user that the system does not know
        return objection(path)
    mask = os.umask(0o077)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as failure:
        return str(failure)
    finally:
        os.umask(mask)
    return objection(path)
