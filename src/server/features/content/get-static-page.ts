import { fill } from '../../../engine/core/messages.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Content } from './content.ts';
import { contentValues } from './content-values.ts';
import { offeredTexts } from './offered.ts';

export function getStaticPage({
  content,
  config,
}: {
  content: () => Content;
  config: Config;
}): Handler<'getStaticPage'> {
  const values = contentValues(config);
  return async ({ params, origin: { language } }) => {
    const texts = content()[language];
    const page = texts && offeredTexts(texts, config).pages.find(({ id }) => id === params['page']);
    if (!page) throw new OperationError(404, 'no_encontrado');
    return {
      body: {
        titulo: fill(page.title, values),
        resumen: page.summary === null ? null : fill(page.summary, values),
        contenido: fill(page.body, values),
        disposicion: page.layout,
        actualizada: page.updated,
      },
    };
  };
}
