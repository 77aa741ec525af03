import { t } from '../../texts.ts';
import type { Stuck } from '../../walk/why-stuck.ts';
import { logicSentence, type Names } from '../tasks/logic-sentence.ts';

/** Why a citizen can press nothing there; `fields`: of the screen. */
export function StuckReason({ stuck, fields }: { stuck: Stuck; fields: Names['fields'] & object }) {
  return (
    <div role="status" className="studio-stuck">
      <p>{t(`stuck-${stuck.kind}`, stuck.kind === 'left' ? { to: stuck.to } : {})}</p>
      {stuck.kind === 'hidden' && (
        <ul>
          {stuck.parts.map(({ text, visible }, index) => (
            <li key={index}>{t('stuckPart', { text, rule: logicSentence(visible, { fields }) })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
