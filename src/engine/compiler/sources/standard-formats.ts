import { fullFormats } from 'ajv-formats/dist/formats.js';

/** The names of the formats that ajv-formats brings. */
export const standardFormats: readonly string[] = Object.keys(fullFormats);
