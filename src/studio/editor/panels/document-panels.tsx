import {
  Field,
  Textarea,
  Toolbar,
  ToolbarButton,
  ToolbarRadioButton,
  ToolbarRadioGroup,
} from '@fluentui/react-components';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { languages, type Language } from '../../../contract/portal-config.ts';
import { devPagePaths } from '../../dev-data.ts';
import type { DrawMailAnswer, FileChange, StudioDocument } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { fillPage, readPage, resolveDocumentTitle } from '../documents.ts';
import { listReorderableHelpLists } from '../tasks/help-orders.ts';
import { OrderForm } from '../tasks/order-form.tsx';
import { listUnsavedChanges } from '../pending-edits.ts';
import { useStudio } from '../use-studio.ts';
import { debounceMs, useDrawCommands } from './preview.tsx';
import { TextPanel } from './text-panel.tsx';

export function DocumentPanels({ document }: { document: StudioDocument }) {
  const { set } = useStudio();
  const [language, setLanguage] = useState<Language>(languages[0]);
  return (
    <>
      <div className="studio-middle">
        <h2>
          {resolveDocumentTitle(set, document)} <code>{document.name}</code>
        </h2>
        {document.template === null ? <DocumentTexts document={document} /> : <EntryTexts document={document} />}
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
          <ToolbarRadioGroup aria-label={t('language')}>
            {languages.map((own) => (
              <ToolbarRadioButton key={own} name="lang" value={own} aria-label={t(own)}>
                {own}
              </ToolbarRadioButton>
            ))}
          </ToolbarRadioGroup>
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

function EntryTexts({ document: { name, template, files, texts } }: { document: StudioDocument }) {
  return (
    <>
      <p>{t('mailTemplate', { name: template ?? '' })}</p>
      <TextPanel name={name} texts={texts} files={files} />
    </>
  );
}

function DocumentTexts({ document }: { document: StudioDocument }) {
  const { kind, name, files } = document;
  const studio = useStudio();
  const [isOrdering, setOrdering] = useState(false);
  const orders = listReorderableHelpLists(studio.set, document);
  return (
    <>
      {orders.length > 0 && (
        <Toolbar aria-label={t('tasksBar')} size="small">
          <ToolbarButton onClick={() => setOrdering(true)}>{t('order')}</ToolbarButton>
        </Toolbar>
      )}
      {isOrdering && <OrderForm orders={orders} onDone={() => setOrdering(false)} />}
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
  const { pending, drafts, revision } = studio;
  const [drawn, setDrawn] = useState<DrawMailAnswer>();
  const ask = useEffectEvent(async (isOver: () => boolean): Promise<void> => {
    const isOwn = ({ file }: FileChange): boolean => file.startsWith('src/server/');
    const answer = await studio.drawMail({ mail, language, changes: listUnsavedChanges(studio).filter(isOwn) });
    if (!isOver()) setDrawn(answer);
  });
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => void ask(() => isOver), debounceMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [pending, drafts, revision, mail, language]);
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

function PagePreview({ document: { name, files }, language }: { document: StudioDocument; language: Language }) {
  const { set, drafts, facts } = useStudio();
  const frame = useRef<HTMLIFrameElement>(null);
  const file = files[language];
  const page = readPage(drafts[file]?.text ?? set.files[file]?.text ?? '');
  const sight = { dark: false, large: false };
  useDrawCommands(() => frame.current?.contentWindow ?? null, { ...fillPage(page, facts.contentValues), sight });
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
