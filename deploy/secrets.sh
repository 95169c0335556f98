#!/bin/sh
# Generates the secrets of a new cluster, for the file .env beside compose.yaml:
#
#   umask 077 && sh deploy/secrets.sh > .env
#
# Keep a copy of SECRETS_KEY in another place: without it, personal data and secrets are unreadable.
set -eu
random() { head -c "$1" /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'; }
echo "SECRETS_KEY=$(head -c 32 /dev/urandom | base64)"
echo "ADMIN_API_KEY=$(random 30)"
echo "MONGODB_PASSWORD=$(random 24)"
