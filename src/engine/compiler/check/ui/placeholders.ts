import type { Ui } from '../../../core/definition.ts';
import type { Json } from '../../../core/json.ts';
import { placeholders } from '../../../core/messages.ts';
import type { Report } from '../../sources/report.ts';
import { textsOf } from '../../shared/texts.ts';
import type { UiSurroundings } from './ui-check.ts';
import { say } from '../../sources/say.ts';

/** Checks that texts have placeholders only where they are filled, and only for variables of the flow and facts. */
export function checkPlaceholders(
  ui: Ui,
  { context, facts }: Pick<UiSurroundings, 'context' | 'facts'>,
  report: Report,
): void {
  for (const [pointer, text] of textsOf(ui as unknown as Json)) {
    if (pointer.startsWith('/messages/')) continue; // filled by rules
    for (const name of placeholders(text)) {
      if (/^\/(fields|sections)\//.test(pointer))
        report(
          pointer,
          say`What stands at a field or a section is drawn as it is written: {${name}} would be read with its braces.`,
          say`Write it without a variable; the title of the screen, its intro and its notices may have some.`,
        );
      else if (!context.has(name) && !facts.includes(name)) {
        report(
          pointer,
          say`The text names {${name}}, which no flow of this screen declares.`,
          say`Declare it in the "context" of the flow.`,
        );
      }
    }
  }
}
