import type { JSX } from 'preact';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Link } from '../../parts/link.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { roleText } from '../../session/role-names.ts';
import { words } from '../../shell/language.ts';
import { Names } from './names.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The user's own account. */
const ProfileScreen = (): JSX.Element => {
  const own = useLoaded((signal) => call('GET /v1/users/profile', {}, { signal }), []);
  const says = words.value.account;
  return (
    <>
      <ScreenHead title={words.value.screens.profile} />
      <LoadedView of={own}>
        {(profile) => (
          <div class="cards">
            <section class="card-section" aria-labelledby="own-account">
              <h2 id="own-account">{says.account}</h2>
              <p class="hint">
                <bdi>{profile.email}</bdi> · {roleText(profile.role)}
              </p>
              <p class="fine">{says.emailText}</p>
              <Names profile={profile} />
            </section>
            <section class="card-section" aria-labelledby="own-password">
              <h2 id="own-password">{words.value.signIn.password}</h2>
              <Password email={profile.email} />
            </section>
            <section class="card-section" aria-labelledby="own-factor">
              <h2 id="own-factor">{says.secondFactor}</h2>
              <SecondFactor email={profile.email} isOn={profile.second_factor} onChanged={own.again} />
            </section>
            <section class="card-section" aria-labelledby="own-sessions">
              <h2 id="own-sessions">{words.value.screens.sessions}</h2>
              <p class="hint">{says.sessionsText}</p>
              <p>
                <Link to="/sessions" class="button">
                  {says.showSessions}
                </Link>
              </p>
            </section>
          </div>
        )}
      </LoadedView>
    </>
  );
};
export default ProfileScreen;
