import messages from '../../schemas/_shared/messages.json?raw';
import sentences from '../../schemas/_shared/texts/portal.json';
import { fill } from '../engine/core/messages.ts';
import type { EngineTexts } from '../engine/runtime/engine-text.ts';

/** The language of the samples, and of what the engine says beside them. */
export const baseLanguage = 'es';

/** The catalogue of messages that a sample begins with. */
export { messages };

const known: Readonly<Record<string, string>> = sentences;

/** The engine's own sentences. */
export const t: EngineTexts = (key, values = {}) => fill(known[key] ?? '', values);
