package dev.mainstay.server.platform.http;

import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;

/**
 * The encodings of bodies as the library is to see them: none, whatever a request says. {@link
 * Body} unpacks, within its limits and after the key was checked.
 */
final class SentEncodings implements ContentEncodingContext {
  static final SentEncodings UNTOUCHED = new SentEncodings();

  private SentEncodings() {}

  @Override
  public ContentEncodingContextConfig prototype() {
    return ContentEncodingContextConfig.builder().buildPrototype();
  }

  @Override
  public boolean contentEncodingEnabled() {
    return false;
  }

  @Override
  public boolean contentDecodingEnabled() {
    return true;
  }

  @Override
  public boolean contentEncodingSupported(String encoding) {
    return false;
  }

  @Override
  public boolean contentDecodingSupported(String encoding) {
    return true;
  }

  @Override
  public ContentEncoder encoder(String encoding) {
    return ContentEncoder.NO_OP;
  }

  @Override
  public ContentDecoder decoder(String encoding) {
    return ContentDecoder.NO_OP;
  }

  @Override
  public ContentEncoder encoder(Headers headers) {
    return ContentEncoder.NO_OP;
  }
}
