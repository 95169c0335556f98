#!/usr/bin/env bash
# Fetches the stand-in for MongoDB with Maven and compiles its launcher, both into the cache folder.
set -euo pipefail
cd "$(dirname "$0")"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/uptrail/mongodb-stand-in"
for tool in javac mvn; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 1; }
done
mkdir -p "$cache"
mvn --quiet --batch-mode -Dstyle.color=never --file pom.xml \
  org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
  -DincludeScope=runtime -DoutputDirectory="$cache/jars"
javac -cp "$cache/jars/*" -d "$cache" Launcher.java Utf8Order.java
java -cp "$cache:$cache/jars/*" Utf8Order "$cache"
