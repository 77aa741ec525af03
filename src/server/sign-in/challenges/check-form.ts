import type { Values } from '../../../engine/core/json.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { RefusedBody } from '../../base/refused-body.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Config } from '../../config/config.ts';

/** What a form is checked with. */
export interface FormChecker {
  readonly definitions: () => Definitions;
  readonly config: Config;
}

/** The data of a challenge, checked by the screen that asked for it; throws RefusedBody. */
export function checkForm(
  { definitions, config }: FormChecker,
  screen: string,
  values: Values,
  language: Language,
): Values {
  const { data, errors } = definitions().check(screen, values, { language, context: { flags: config.flags } });
  if (Object.keys(errors).length > 0) throw new RefusedBody(errors);
  return data;
}
