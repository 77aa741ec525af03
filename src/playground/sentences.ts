import messages from '../../schemas/_shared/messages.json?raw';
import sentences from '../../schemas/_shared/texts/portal.json';
import { fill } from '../engine/core/messages.ts';
import type { EngineTexts } from '../engine/runtime/engine-text.ts';

export const baseLanguage = 'es';

export { messages };

const known: Readonly<Record<string, string>> = sentences;

export const t: EngineTexts = (key, values = {}) => fill(known[key] ?? '', values);
