import { explainWith, sayWith } from '../../engine/compiler/sources/say.ts';
import sentences from './sentences.json' with { type: 'json' };

export const say = sayWith(sentences);
export const explain = explainWith(say);
