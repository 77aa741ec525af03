import { Field, Textarea, Toolbar } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { languages, type Language } from '../../../contract/portal-config.ts';
import { devPagePaths } from '../../dev-page-data.ts';
import type { MailPreviewResponse, MailOrHelpPage } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import {
  fillHelpPagePlaceholders,
  listReorderableHelpLists,
  parseHelpPage,
  resolveMailOrHelpPageTitle,
} from '../mails-and-help-pages.ts';
import { TaskBar } from '../form-controls.tsx';
import { ReorderForm } from '../tasks/reorder-form.tsx';
import { listUnsavedChanges } from '../pending-edits.ts';
import { useStudio } from '../use-studio.ts';
import { LanguageButtons, useDebouncedResponseToEdits, usePreviewCommands } from './preview-panel.tsx';
import { TextPanel } from './text-panel.tsx';

export function PageAndMailPanels({ document }: { document: MailOrHelpPage }) {
  const { set } = useStudio();
  const [language, setLanguage] = useState<Language>(languages[0]);
  return (
    <>
      <div className="studio-middle">
        <h2>
          {resolveMailOrHelpPageTitle(set, document)} <code>{document.name}</code>
        </h2>
        {document.template === null ? (
          <DocumentTexts document={document} />
        ) : (
          <>
            <p>{t('mailTemplate', { name: document.template })}</p>
            <TextPanel {...document} />
          </>
        )}
        {document.kind === 'mail' && <p className="studio-aside">{t('mailRestart')}</p>}
      </div>
      <div className="studio-right">
        <Toolbar
          aria-label={t('drawnBar')}
          size="small"
          checkedValues={{ lang: [language] }}
          onCheckedValueChange={(_, { checkedItems }) =>
            setLanguage(languages.find((own) => checkedItems.includes(own)) ?? language)
          }
        >
          <LanguageButtons />
        </Toolbar>
        {document.kind === 'mail' ? (
          <MailPreview mail={document.name} language={language} />
        ) : (
          <PagePreview key={language} document={document} language={language} />
        )}
      </div>
    </>
  );
}

function DocumentTexts({ document }: { document: MailOrHelpPage }) {
  const { kind, name, files } = document;
  const studio = useStudio();
  const [isOrdering, setOrdering] = useState(false);
  const orders = listReorderableHelpLists(studio.set, document);
  return (
    <>
      {orders.length > 0 && <TaskBar tasks={[['order', t('order')]]} onTask={() => setOrdering(true)} />}
      {isOrdering && <ReorderForm orders={orders} onDone={() => setOrdering(false)} />}
      <p>{kind === 'mail' ? t('mailHow', { example: '{{name}}' }) : t('helpHow')}</p>
      {languages.map((language) => {
        const file = files[language];
        const own = studio.set.files[file];
        const draft = studio.drafts[file];
        return (
          <Field key={language} label={t('documentText', { language: t(language), name })}>
            <Textarea
              lang={language}
              className="studio-document"
              resize="vertical"
              value={draft?.text ?? own?.text ?? ''}
              onChange={(_, { value }) =>
                studio.draft(
                  file,
                  value === own?.text ? null : { text: value, base: draft?.base ?? own?.version ?? null },
                )
              }
            />
          </Field>
        );
      })}
    </>
  );
}

function MailPreview({ mail, language }: { mail: string; language: Language }) {
  const studio = useStudio();
  const [drawn, setDrawn] = useState<MailPreviewResponse>();
  const changes = listUnsavedChanges(studio).filter(({ file }) => file.startsWith('src/server/'));
  useDebouncedResponseToEdits(`${mail} ${language}`, () => studio.drawMail({ mail, language, changes }), setDrawn);
  if (!drawn) return null;
  if (drawn.outcome === 'refused') return <p role="alert">{t('undrawn', { detail: drawn.reason })}</p>;
  const title = t('viewOf', { name: mail });
  return (
    <>
      <p role="status">{t('mailSubject', { subject: drawn.subject })}</p>
      <div className="studio-frame" tabIndex={0} role="group" aria-label={title}>
        <iframe src={drawn.url} sandbox="" width="100%" title={title} />
      </div>
    </>
  );
}

function PagePreview({ document: { name, files }, language }: { document: MailOrHelpPage; language: Language }) {
  const { set, drafts, referenceData } = useStudio();
  const frame = useRef<HTMLIFrameElement>(null);
  const file = files[language];
  const page = parseHelpPage(drafts[file]?.text ?? set.files[file]?.text ?? '');
  const sight = { dark: false, large: false };
  usePreviewCommands(() => frame.current?.contentWindow ?? null, {
    ...fillHelpPagePlaceholders(page, referenceData.contentValues),
    sight,
  });
  const title = t('viewOf', { name });
  return (
    <div className="studio-frame" tabIndex={0} role="group" aria-label={title}>
      <iframe
        ref={frame}
        src={`${devPagePaths.preview}?${new URLSearchParams({ lang: language })}`}
        width="100%"
        title={title}
      />
    </div>
  );
}
