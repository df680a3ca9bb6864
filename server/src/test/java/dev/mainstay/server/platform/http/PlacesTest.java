package dev.mainstay.server.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Network;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who counts as one address. */
class PlacesTest {
  @Test
  void a_machine_with_many_addresses_of_ipv6_is_one() {
    var places = new Places(4, List.of());
    assertThat(places.take(at("2001:db8::1"))).isTrue();
    assertThat(places.take(at("2001:db8::ffff:2"))).isTrue();
    assertThat(places.take(at("2001:db8::3"))).isFalse();
    assertThat(places.take(at("2001:db8:0:1::1"))).isTrue();
    assertThat(places.take(at("192.0.2.1"))).isTrue();
    assertThat(places.taken()).isEqualTo(4);
    assertThat(places.refused()).isEqualTo(1);
    places.leave(at("2001:db8::1"));
    assertThat(places.take(at("2001:db8::3"))).isTrue();
  }

  @Test
  void a_trusted_network_is_as_wide_as_it_says() {
    var places = new Places(2, Network.list("10.1.0.0/16,2001:db8::/33, 192.0.2.7"));
    for (String trusted : List.of("10.1.255.9", "2001:db8:7fff::1", "192.0.2.7")) {
      assertThat(places.take(at(trusted))).isTrue();
      assertThat(places.take(at(trusted))).as(trusted).isTrue();
    }
    for (String other : List.of("10.2.0.1", "2001:db8:8000::1", "192.0.2.6")) {
      assertThat(places.take(at(other))).isTrue();
      assertThat(places.take(at(other))).as(other).isFalse();
    }
  }

  private static InetAddress at(String address) {
    return InetAddress.ofLiteral(address);
  }
}
