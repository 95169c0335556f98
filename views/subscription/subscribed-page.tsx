import type { JSX } from 'preact';
import { isolated } from '../../messages/characters.ts';
import type { Frame } from '../status/frame.ts';
import { StateIcon } from '../status/state.tsx';
import { StatusDocument } from '../status/status-document.tsx';
import { OtherWays } from './other-ways.tsx';

/** The subscription that a visitor has just requested. */
export type Subscribed =
  | { mode: 'email' | 'sms' }
  | { mode: 'webhook'; /** masked */ endpoint: string; /** shown once */ secret: string | null };

/** Explains the next step. The text does not reveal whether the address had already subscribed. */
export const SubscribedPage = ({ frame, done }: { frame: Frame; done: Subscribed }): JSX.Element => {
  const { title } = frame.words.subscription.done[done.mode];
  return (
    <StatusDocument frame={frame} title={title} isForm>
      <section class="subscribe">
        <div class="card sheet next">
          <h1>
            <StateIcon state="operational" /> {title}
          </h1>
          {done.mode === 'webhook' ? <Webhook frame={frame} {...done} /> : <Person frame={frame} mode={done.mode} />}
          <p>
            <a href={frame.root}>{frame.words.backTo(isolated(frame.name))}</a>
          </p>
        </div>
        <OtherWays frame={frame} />
      </section>
    </StatusDocument>
  );
};

const Person = ({ frame, mode }: { frame: Frame; mode: 'email' | 'sms' }): JSX.Element => {
  const { text, hint } = frame.words.subscription.done[mode];
  return (
    <>
      <p>{text}</p>
      <p class="help">{hint}</p>
    </>
  );
};

const Webhook = ({
  frame,
  endpoint,
  secret,
}: {
  frame: Frame;
  endpoint: string;
  secret: string | null;
}): JSX.Element => {
  const words = frame.words.subscription.done.webhook;
  return (
    <>
      <p>{words.text(endpoint)}</p>
      {secret !== null && (
        <>
          <p class="secret">
            {words.secret}
            <code>{secret}</code>
          </p>
          <p class="help">{words.secretHint}</p>
        </>
      )}
    </>
  );
};
