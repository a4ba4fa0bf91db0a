// `Boundary`: an error boundary that shows a fallback in place of the part that failed.
import { Component, type ComponentChildren } from 'preact'
import { faultText } from '../../base/fault.ts'

interface Props {
  /** The children are rendered again only if this is another object. */
  subject: object
  fallback: ComponentChildren
  onFault: (text: string) => void
  children: ComponentChildren
}

export class Boundary extends Component<Props, { failed?: object }> {
  override shouldComponentUpdate(next: Props, state: { failed?: object }): boolean {
    return next.subject !== this.props.subject || state.failed !== this.state.failed
  }

  override componentDidCatch(fault: unknown): void {
    this.props.onFault(`A part of the page failed: ${faultText(fault)}`)
    this.setState({ failed: this.props.subject })
  }

  override render() {
    return this.state.failed === this.props.subject ? this.props.fallback : this.props.children
  }
}
