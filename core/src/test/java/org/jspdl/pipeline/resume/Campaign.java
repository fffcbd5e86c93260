package org.jspdl.pipeline.resume;

/// How long tests may search: briefly in the test command, thoroughly with `-Pcampaign`.
public final class Campaign {
    private Campaign() {}

    /// Whether this is a campaign.
    public static boolean isFull() {
        return Boolean.getBoolean("campaign");
    }

    /// `brief` in the test command, `full` in a campaign.
    public static int scale(int brief, int full) {
        return isFull() ? full : brief;
    }
}
