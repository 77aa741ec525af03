// This file is plain JavaScript, because a worker thread of Node 20 starts without a TypeScript loader.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';

const database = await PGlite.create(workerData.folder ?? 'memory://', { parsers: { [types.INT8]: Number } });
await database.listen(workerData.channel, (news) => parentPort.postMessage({ news }));

parentPort.on('message', async ({ id, sql, parameters }) => {
  if (sql === null) {
    await database.close();
    parentPort.postMessage({ id, rows: [] });
    parentPort.close();
    return;
  }
  try {
    const { rows, affectedRows } = await database.query(sql, parameters);
    parentPort.postMessage({ id, command: 'UPDATE', rows, rowCount: affectedRows ?? 0 }); // Kysely expects a command, but PGlite does not return it
  } catch (error) {
    const { message, code, constraint } = error;
    parentPort.postMessage({ id, error: { message, code, constraint } });
  }
});

parentPort.postMessage({ id: 0, rows: [] });
