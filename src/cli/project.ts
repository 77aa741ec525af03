import { resolve } from 'node:path';

/** The project's folder: commands run from anywhere. */
export const root = resolve(import.meta.dirname, '../..');
