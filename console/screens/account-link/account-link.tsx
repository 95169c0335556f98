import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Gate } from '../../parts/gate.tsx';
import { Link } from '../../parts/link.tsx';
import { useLoaded } from '../../session/loaded.ts';
import { words } from '../../shell/language.ts';
import { NewPassword } from './new-password.tsx';

const tokenOf = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/** The screen for invitation and password reset links. The token is in the fragment. */
const AccountLinkScreen = (): JSX.Element => {
  const token = useSignal(tokenOf(location.hash));
  useEffect(() => {
    const follow = (): void => {
      token.value = tokenOf(location.hash);
    };
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('hashchange', follow);
    };
  }, []);
  const { loaded, again } = useLoaded(
    (signal) => request('POST /v1/users/link', { body: { token: token.value } }, { signal }),
    [token.value],
  );
  const says = words.value.links;
  if (loaded.status === 'loading') return <Gate title={words.value.loading}>{null}</Gate>;
  if (loaded.status === 'failed')
    return (
      <Gate title={words.value.failure.title}>
        <FailureLine failure={loaded.failure} again={again} />
      </Gate>
    );
  const { value: link } = loaded;
  if (link.status === 'open') return <NewPassword key={token.value} token={token.value} link={link} />;
  const { title, text } = says[link.status];
  return (
    <Gate title={title}>
      <p>{text}</p>
      <Link to="/" class="button primary wide">
        {says.toSignIn}
      </Link>
      {link.status === 'gone' && (
        <p class="forgotten">
          <Link to="/forgotten">{words.value.signIn.forgotten}</Link>
        </p>
      )}
    </Gate>
  );
};
export default AccountLinkScreen;
