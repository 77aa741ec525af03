import { resolve } from 'node:path';

/** The project folder, because commands can run from any folder. */
export const root = resolve(import.meta.dirname, '../..');
