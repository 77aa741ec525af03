FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /portal
COPY package.json package-lock.json ./
# for pkcs11js, which npm compiles with the headers of the image
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3
RUN npm ci --nodedir=/usr/local
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# package managers are not needed at run time
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /portal
COPY --from=build /portal/package.json ./package.json
COPY --from=build /portal/NOTICE ./NOTICE
COPY --from=build /portal/LICENSE ./LICENSE
COPY --from=build /portal/node_modules ./node_modules
COPY --from=build /portal/dist ./dist
COPY --from=build /portal/schemas ./schemas
COPY --from=build /portal/flows ./flows
COPY --from=build /portal/plugins ./plugins
# the compiler reads the names of the blocks that flows may use
COPY --from=build /portal/src/portal/blocks ./src/portal/blocks
COPY --from=build /portal/src/desk/blocks ./src/desk/blocks
# colours and logo of mails, synonyms of the help search
COPY --from=build /portal/src/brand ./src/brand
COPY --from=build /portal/src/cli ./src/cli
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
