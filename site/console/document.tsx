import type { JSX } from 'preact';
import type { ConsoleWords } from '../../messages/console-words/index.ts';
import { Document } from '../../views/document.tsx';
import { ServiceIcon } from '../../views/service-icon.tsx';

export interface ConsoleDocumentProps {
  /** BCP 47 */
  language: string;
  words: ConsoleWords;
  stylesheet: string;
  script: string;
}

/** The page of the console: everything else is made by its script (console/console.tsx). */
export const ConsoleDocument = ({ language, words, stylesheet, script }: ConsoleDocumentProps): JSX.Element => (
  <Document
    language={language}
    title="Uptrail"
    stylesheets={[stylesheet]}
    indexed={false}
    head={
      <>
        <script type="module" src={script} />
        <ServiceIcon />
      </>
    }
  >
    <div id="console">
      <noscript>{words.needsScript}</noscript>
    </div>
  </Document>
);
