# syntax=docker/dockerfile:1
# One image for all deployments: `serve` on one machine (data in /data), or one of the duties of a cluster.
#
#   docker build -t uptrail .
#   docker run -p 127.0.0.1:3000:3000 -v uptrail-data:/data --read-only --tmpfs /tmp uptrail

FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its scripts here: what is native comes ready.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build \
    && npm prune --omit=dev \
    && rm -rf node_modules/better-sqlite3-node20 node_modules/better-sqlite3/deps node_modules/better-sqlite3/src

FROM node:24-bookworm-slim
# Tools that types of checks call go in here too; web, api and tcp need none.
RUN apt-get update \
    && apt-get install -y --no-install-recommends tini=0.19.* \
    && rm -rf /var/lib/apt/lists/* \
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
