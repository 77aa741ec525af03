import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };

export const serverModule = { texts } as const satisfies ServerModule;
