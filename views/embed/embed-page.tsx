import type { JSX } from 'preact';
import { Document } from '../document.tsx';
import { StateIcon, StateShapes, type State } from '../status/state.tsx';

export interface EmbedPageProps {
  root: string;
  name: string;
  language: string;
  direction: 'ltr' | 'rtl';
  theme: 'light' | 'dark' | undefined;
  stylesheet: string;
  state: State;
  /** the state of the page, in a sentence */
  text: string;
  /** names of affected components or incidents; may be empty */
  detail: string;
}

/** The state of a status page in one line, for a frame on another site. The page reloads itself every minute. */
export const EmbedPage = (props: EmbedPageProps): JSX.Element => {
  const { root, name, language, direction, theme, stylesheet, state, text, detail } = props;
  return (
    <Document
      language={language}
      direction={direction}
      title={name}
      theme={theme}
      stylesheets={[root + stylesheet]}
      indexed={false}
      head={<meta http-equiv="refresh" content="60" />}
    >
      <StateShapes />
      <a class={`embed state-${state}`} href={root} target="_blank" rel="noopener">
        <StateIcon state={state} />
        <span>
          <strong>{text}</strong>
          {detail !== '' && (
            <span class="detail">
              <bdi>{detail}</bdi>
            </span>
          )}
        </span>
      </a>
    </Document>
  );
};
