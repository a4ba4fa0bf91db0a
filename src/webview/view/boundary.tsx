// Keeps a fault in one part of the page from blanking the rest.
import { Component, type ComponentChildren } from 'preact'
import { faultText } from '../../base/fault.ts'

interface Props {
  /** While this stays the same object, nothing below is drawn again. */
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
