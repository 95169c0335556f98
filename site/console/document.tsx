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
  /** what the script imports first, so that it is requested with it */
  shared: string;
}

/** The page of the console: everything else is made by its script (console/console.tsx). */
export const ConsoleDocument = ({ language, words, stylesheet, script, shared }: ConsoleDocumentProps): JSX.Element => (
  <Document
    language={language}
    title="Uptrail"
    stylesheets={[stylesheet]}
    indexed={false}
    head={
      <>
        <link rel="modulepreload" href={shared} />
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
