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
  /**
   * URL of the first module that the script imports. It is preloaded, so that browsers request both files at the same
   * time
   */
  shared: string;
}

/** The HTML document of the console. Its script renders everything else (console/console.tsx). */
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
