"""``python -m qrja`` is ``qrja``."""

from qrja.cli import main

if __name__ == "__main__":
    main()
