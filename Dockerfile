FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /portal
COPY package.json package-lock.json ./
# for pkcs11js, which npm compiles with the headers of the image
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3
RUN npm ci --nodedir=/usr/local
COPY . .
RUN npm run build && npm prune --omit=dev
# sample data is only in the stage demo
RUN mkdir -p /demo/dist /demo/src/server/app && mv dist/sample /demo/dist && mv src/server/app/sample /demo/src/server/app

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS server
# package managers are not needed at run time
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /portal
COPY --from=build /portal/package.json ./package.json
COPY --from=build /portal/NOTICE ./NOTICE
COPY --from=build /portal/LICENSE ./LICENSE
COPY --from=build /portal/node_modules ./node_modules
COPY --from=build /portal/dist/portal ./dist/portal
COPY --from=build /portal/dist/run ./dist/run
COPY --from=build /portal/schemas ./schemas
COPY --from=build /portal/flows ./flows
COPY --from=build /portal/plugins ./plugins
# the compiler reads the names of the blocks that flows may use
COPY --from=build /portal/src/portal/blocks ./src/portal/blocks
COPY --from=build /portal/src/desk/blocks ./src/desk/blocks
# colours and logo of mails, synonyms of the help search
COPY --from=build /portal/src/brand ./src/brand
# the server, and the commands that operators need to run it: accounts, applications, keys, audit log, backups, migrations
COPY --from=build /portal/src/cli/build-portal.ts ./src/cli/build-portal.ts
COPY --from=build /portal/src/cli/command.ts ./src/cli/command.ts
COPY --from=build /portal/src/cli/commands.json ./src/cli/commands.json
COPY --from=build /portal/src/cli/database ./src/cli/database
COPY --from=build /portal/src/cli/definitions/version.ts ./src/cli/definitions/version.ts
COPY --from=build /portal/src/cli/doctor ./src/cli/doctor
COPY --from=build /portal/src/cli/load.mjs ./src/cli/load.mjs
COPY --from=build /portal/src/cli/portal.mjs ./src/cli/portal.mjs
COPY --from=build /portal/src/cli/project.ts ./src/cli/project.ts
COPY --from=build /portal/src/cli/run.mjs ./src/cli/run.mjs
COPY --from=build /portal/src/cli/source-hash.ts ./src/cli/source-hash.ts
COPY --from=build /portal/src/cli/start.ts ./src/cli/start.ts
COPY --from=build /portal/src/contract ./src/contract
COPY --from=build /portal/src/engine ./src/engine
COPY --from=build /portal/src/server ./src/server
RUN mkdir /data && chown 1000:1000 /data
# numeric, so that Kubernetes can verify runAsNonRoot. The server writes only to /data and /tmp
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "require(process.env.TLS_FILE ? 'https' : 'http').get({ port: 3000, path: '/readyz', rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# runs node directly, because npm does not forward SIGTERM. Set BASE_URL.
CMD ["node", "src/cli/run.mjs", "src/server/app/main.ts"]

# for compose.yaml: with sample accounts, whose passwords are public
FROM server AS demo
COPY --from=build /demo ./

# the image of a release
FROM server
