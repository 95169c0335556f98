# syntax=docker/dockerfile:1
# One image for all deployments: `serve` on one machine (data in /data), or one of the duties of a cluster. The target
# `scripts` builds another image that includes what checks of the types multistep and synthetic need
# (docs/operate/scripts.md).
#
#   docker build -t uptrail .
#   docker run -p 127.0.0.1:3000:3000 -v uptrail-data:/data --read-only --tmpfs /tmp --cap-drop ALL \
#     --sysctl net.ipv4.ping_group_range='1000 1000' uptrail

FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install scripts here: native modules are prebuilt.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build \
    && npm prune --omit=dev \
    && rm -rf node_modules/@photostructure node_modules/better-sqlite3/deps node_modules/better-sqlite3/src

FROM node:24-bookworm-slim AS small
# Includes the tools of check types: fping for icmp, nmap for portscan. fping is replaced by a copy without its file
# capability, because a container without capabilities cannot start a program that has one.
RUN apt-get update \
    && apt-get install -y --no-install-recommends fping=5.1-* nmap=7.93* tini=0.19.* \
    && rm -rf /var/lib/apt/lists/* \
    && install -m 0755 /usr/bin/fping /usr/bin/fping.plain \
    && mv /usr/bin/fping.plain /usr/bin/fping \
    && install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/deploy/healthcheck.cjs ./deploy/healthcheck.cjs
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The user `node` of the base image.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/healthcheck.cjs"]
ENTRYPOINT ["tini", "--", "node", "/app/dist/cli/uptrail.cjs"]
CMD ["serve"]

FROM small AS scripts
USER 0:0
# The sandbox, the browser with fonts for foreign pages, and ffmpeg for videos. Chromium and the certificates have no
# version here: Debian provides only their latest ones, with security fixes. Rebuild this image for each of them.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap=0.8.* ca-certificates chromium ffmpeg=7:5.1.* \
        fonts-liberation=1:1.07.* fonts-noto-color-emoji=2.* fonts-noto-core=2020* \
    && rm -rf /var/lib/apt/lists/*
USER 1000:1000

# The default target.
FROM small
