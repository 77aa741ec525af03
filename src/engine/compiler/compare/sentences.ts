import { sentences } from '../said.ts';
import texts from './texts.json' with { type: 'json' };

/** A sentence of texts.json. */
export const say = sentences(texts);
