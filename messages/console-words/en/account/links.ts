import type { LinksWords } from '../../words/account/links.ts';

export const links: LinksWords = {
  invitationTitle: 'Accept the invitation',
  invitationText: 'Choose a password to join:',
  resetTitle: 'Set a new password',
  resetText: 'You will be signed out everywhere. For your account at:',
  accept: 'Accept',
  setPassword: 'Set password',
  set: 'Your password is set',
  setText: 'Sign in with it now.',
  toSignIn: 'To the sign-in',
  accepted: {
    title: 'This invitation was accepted',
    text: 'You can sign in with your e-mail address and your password.',
  },
  superseded: {
    title: 'A later invitation was sent',
    text: 'Use the link in the most recent message.',
  },
  gone: {
    title: 'This link does not work',
    text: 'It was used, has expired, or is incomplete. Ask for another one.',
  },
  forgottenTitle: 'Forgotten password',
  forgottenText: 'Enter your e-mail address. You get a link that sets a new password and works for an hour.',
  sendLink: 'Send the link',
  sent: 'If somebody with this e-mail address can sign in here, a link is on its way.',
  notArrived: 'Nothing arrives? The service may send no e-mail. Ask whoever runs it to make a link:',
  command: 'Command on the server',
};
