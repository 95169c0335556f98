#!/usr/bin/env bash
# Sends the running program requests that its OpenAPI document allows, and requests that it forbids. Fails if a
# response is a server error or differs from its declaration. Uses the loopback interface only. The number of
# examples and the total time are limited.
# Each run has the same test cases. Set SCHEMATHESIS_SEED=$RANDOM for others.
# Usage: test/schemathesis.sh [examples for each operation]. With --install, it only installs the tool.
set -euo pipefail
cd "$(dirname "$0")/.."
version=4.32.5
examples=${1:-10}
tools=${XDG_CACHE_HOME:-$HOME/.cache}/uptrail/schemathesis-$version
folder=$(mktemp -d)
service=
cleanup() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT
if [ ! -x "$tools/bin/schemathesis" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi
[ "$examples" != --install ] || exit 0
[ -f dist/cli/uptrail.cjs ] || npm run --silent build

# Two precautions: the hooks replace the target of every generated check by this machine, and the policy of the program
# refuses all targets.
export ADMIN_API_KEY=schemathesis-admin-key TARGET_DENY=0.0.0.0/0,::/0 DNS_SERVERS=127.0.0.1:9 LOG_LEVEL=error
DATA_DIR="$folder/data" PORT=0 UNAUTHORIZED_PER_MINUTE=0 node dist/cli/uptrail.cjs serve > "$folder/serve.log" 2>&1 &
service=$!
for _ in $(seq 1 600); do
  address=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$folder/serve.log" | head -n 1 || true)
  if [ -n "$address" ] && curl -fsS -o /dev/null "$address/health/ready" 2>/dev/null; then break; fi
  kill -0 "$service" || { cat "$folder/serve.log"; exit 1; }
  sleep 0.1
done

checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks+=,response_schema_conformance,unsupported_method,allow_header_conformance,use_after_free,ignored_auth
hooks=$PWD/test/schemathesis_hooks.py
cd "$folder"
# /v1/events is left out because its response never ends.
SCHEMATHESIS_HOOKS=$hooks timeout 900 "$tools/bin/schemathesis" run "$address/openapi.json" \
  --header "Authorization: $ADMIN_API_KEY" --exclude-path /v1/events --checks "$checks" --phases examples,coverage,fuzzing,stateful \
  --max-examples "$examples" --seed "${SCHEMATHESIS_SEED:-1}" --request-timeout 10 --continue-on-failure \
  --warnings off || { status=$?; cat serve.log; exit "$status"; }
