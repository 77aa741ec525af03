import type { ReactNode } from 'react';
import type { Paragraph, ScreenLinkUi } from '../../core/flow-and-screen-types.ts';
import { preventLineBreaksInProse } from '../../core/messages.ts';

interface ScreenIntroProps {
  readonly paragraphs: readonly Paragraph[];
  readonly text: (template: string) => string;
  readonly renderLink: (link: ScreenLinkUi) => ReactNode;
}

const stepNumber = /^\d+\. /;

/** Renders the introduction of a screen. The paragraphs that start with a number (`1. `) are one ordered list, and keep their numbers. */
export function ScreenIntro({ paragraphs, text, renderLink }: ScreenIntroProps) {
  const steps = paragraphs.filter((paragraph) => stepNumber.test(paragraph.text));
  const renderText = ({ text: template, link }: Paragraph) => (
    <>
      {preventLineBreaksInProse(text(template))} {link && renderLink(link)}
    </>
  );
  return paragraphs.map((paragraph, at) => {
    const { text: template, intent } = paragraph;
    const key = `${at} ${template}`;
    if (!steps.includes(paragraph))
      return (
        <p key={key} className={intent ? 'notice' : 'screen-intro'} data-intent={intent}>
          {renderText(paragraph)}
        </p>
      );
    if (paragraph !== steps[0]) return null;
    return (
      <ol key={key} className="screen-intro">
        {steps.map((step) => (
          <li key={step.text}>{renderText(step)}</li>
        ))}
      </ol>
    );
  });
}
