import { choiceSamples } from './choices.ts';
import { conditionSamples } from './conditions.ts';
import { listSamples } from './lists.ts';
import { objectSamples } from './objects.ts';
import { plainSamples } from './plain.ts';

/** All samples that correspond to rjsf's playground. */
export const samples = [...plainSamples, ...choiceSamples, ...objectSamples, ...listSamples, ...conditionSamples];
