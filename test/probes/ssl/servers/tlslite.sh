#!/usr/bin/env bash
# A Python with tlslite-ng, which still speaks SSL 3.0 and suites that OpenSSL has given up.
# Usage: tlslite.sh --install, or --python to print where it is
set -euo pipefail
version=0.8.2
tools=${XDG_CACHE_HOME:-$HOME/.cache}/uptrail/tlslite-ng-$version
if [ "${1-}" = --install ] && [ ! -e "$tools/installed" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "tlslite-ng==$version"
  touch "$tools/installed"
fi
[ ! -e "$tools/installed" ] || echo "$tools/bin/python"
