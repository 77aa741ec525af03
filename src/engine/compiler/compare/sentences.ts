import { sentences } from '../localized.ts';
import texts from './texts.json' with { type: 'json' };

/** A sentence of texts.json. */
export const t = sentences(texts);
