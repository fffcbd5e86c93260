package org.jspdl.data.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspdl.data.storage.StorageException.Kind;

/// Which hosts are asked. Lists from elsewhere name addresses, and servers redirect: neither may send this machine to
/// the addresses where a cloud hands out credentials, which are link-local.
///
/// @param allowed whether that does not apply to the host of a name
record HostPolicy(Predicate<String> allowed) {
    /// Where clouds answer without being link-local: Alibaba's and Oracle's, and AWS over IPv6.
    private static final Set<String> METADATA = Set.of("100.100.100.200", "192.0.0.192", "fd00:ec2:0:0:0:0:0:254");

    /// The check of a host that a proxy asks: only an address in place of its name can be examined here.
    void requireLiteral(String name) throws UnknownHostException, UnexpectedResponseException {
        if (name.startsWith("[") || name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))) {
            require(name, InetAddress.getByName(name));
        }
    }

    /// Checks the address that was found for `name`, which is the one to connect to.
    ///
    /// @throws UnexpectedResponseException if it is not to be asked
    void require(String name, InetAddress address) throws UnexpectedResponseException {
        boolean special = address.isLinkLocalAddress()
                || address.isMulticastAddress()
                || address.isAnyLocalAddress()
                || METADATA.contains(withoutZone(address));
        if (special && !allowed.test(name)) {
            throw UnexpectedResponseException.permanent(
                    Kind.DENIED,
                    "the host is at " + address.getHostAddress()
                            + ", a link-local or special address, which is not asked; StorageOptions.allowHosts or"
                            + " --allow-hosts " + name + " allows it");
        }
    }

    private static String withoutZone(InetAddress address) {
        String text = address.getHostAddress();
        int zone = address instanceof Inet6Address ? text.indexOf('%') : -1;
        return zone < 0 ? text : text.substring(0, zone);
    }
}
