import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openLiveDefinitions } from '../../../src/engine/compiler/open-live-definitions.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { startServer } from '../../../src/server/app/start-server.ts';
import { openLiveContent } from '../../../src/server/features/content/open-content.ts';
import { readEnvironment } from '../../../src/server/platform/config/read-environment.ts';
import { readBuiltPages } from '../../../src/server/web/pages/page-source.ts';
import { command as account } from '../../../src/cli/database/account.ts';
import { projectRoot } from '../../../src/cli/project.ts';
import { runInProcess } from '../../server/support/run-command.ts';

/**
 * Definitions that all portals of this process share, with modules and content. The process sends its port to the
 * parent, and exits when the parent exits. POST starts a portal with the settings in the body. DELETE stops the portal of a URL. PUT
 * runs `portal account` with arguments and settings.
 */
const definitions = await openLiveDefinitions(createDefinitionOptions(projectRoot));
const files = { definitions, content: await openLiveContent({ root: projectRoot, definitions }) };
const running = new Map<string, () => Promise<void>>();

const host = createServer(async (request, response) => {
  try {
    const asked = await text(request);
    if (request.method === 'DELETE') {
      await running.get(asked)?.();
      running.delete(asked);
    } else if (request.method === 'PUT') {
      const { words, env } = JSON.parse(asked) as { words: string[]; env: Record<string, string> };
      const { status, stderr } = await runInProcess(account, words, env);
      if (status !== 0) throw new Error(stderr);
    } else {
      const env = { ...process.env, ...(JSON.parse(asked) as Record<string, string>) };
      const pages = () => readBuiltPages(join(projectRoot, 'dist/portal'));
      const { config, stop } = await startServer({
        root: projectRoot,
        env: readEnvironment(env, projectRoot),
        pages,
        files,
      });
      running.set(config.baseUrl, stop);
    }
    response.end();
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
});
host.listen(0, '127.0.0.1', () => process.send?.(host.address()));
process.once('disconnect', () => process.exit());
