/** Texts of the pages behind account links, outside the signed-in console. */
export interface LinksWords {
  invitationTitle: string;
  invitationText: string;
  resetTitle: string;
  resetText: string;
  accept: string;
  setPassword: string;
  set: string;
  setText: string;
  toSignIn: string;
  accepted: {
    title: string;
    text: string;
  };
  superseded: {
    title: string;
    text: string;
  };
  gone: {
    title: string;
    text: string;
  };
  forgottenTitle: string;
  forgottenText: string;
  sendLink: string;
  sent: string;
  notArrived: string;
  command: string;
}
