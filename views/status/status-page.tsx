import type { JSX } from 'preact';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { StatusDocument, type Frame } from './frame.tsx';

export interface StatusPageProps {
  frame: Frame;
  components: readonly { id: string; name: string; status: ComponentStatus }[];
}

/** How everything is now. */
export const StatusPage = ({ frame, components }: StatusPageProps): JSX.Element => (
  <StatusDocument frame={frame}>
    <ul>
      {components.map(({ id, name, status }) => (
        <li key={id}>
          <bdi>{name}</bdi> {wordsFor(frame.language).componentStatus[status]}
        </li>
      ))}
    </ul>
  </StatusDocument>
);
