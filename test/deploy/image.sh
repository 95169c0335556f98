#!/usr/bin/env bash
# Does what the Dockerfile says outside of a container (image.ts), with the Node.js that it names.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$(bash test/node.sh 24):$PATH exec node build/test/deploy/image.js
