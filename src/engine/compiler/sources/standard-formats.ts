import { fullFormats } from 'ajv-formats/dist/formats.js';

export const standardFormats: readonly string[] = Object.keys(fullFormats);
