import messages from '../../schemas/_shared/messages.json?raw';
import { createTexts } from '../engine/runtime/engine-text.ts';

export const baseLanguage = 'es';

export { messages };

export const t = createTexts(baseLanguage);
