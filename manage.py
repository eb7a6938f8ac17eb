#!/usr/bin/env python
"""Django's command line for Concord."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except BrokenPipeError:
        # whoever read the output has seen enough (`| head`)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except SystemExit as end:
        # argparse ends with 2 on a wrong option; every command of Concord ends with 0 or 1
        sys.exit(1 if end.code == 2 else end.code)


if __name__ == "__main__":
    main()
